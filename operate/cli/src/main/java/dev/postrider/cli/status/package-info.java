/** How an outbox stands, read and shown for operators. */
@NullMarked
package dev.postrider.cli.status;

import org.jspecify.annotations.NullMarked;
