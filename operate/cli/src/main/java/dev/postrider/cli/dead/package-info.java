/** Dead letters for operators: which are meant, how they are shown, and what is done to them. */
@NullMarked
package dev.postrider.cli.dead;

import org.jspecify.annotations.NullMarked;
