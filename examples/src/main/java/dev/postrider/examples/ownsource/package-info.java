/**
 * Delivers from a storage of one's own, here a directory of files. Start reading at
 * {@link dev.postrider.examples.ownsource.OwnSource}.
 */
@NullMarked
package dev.postrider.examples.ownsource;

import org.jspecify.annotations.NullMarked;
