/**
 * Leaf helpers that several modules of Postrider need; public only because Java demands it.
 *
 * <p>Not an API: anything here may change in any release. Imports nothing else of Postrider.
 */
@NullMarked
package dev.postrider.internal;

import org.jspecify.annotations.NullMarked;
