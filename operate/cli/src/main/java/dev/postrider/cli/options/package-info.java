/** The options of each command, checked as they are read: a bad value is refused with the value and the range. */
@NullMarked
package dev.postrider.cli.options;

import org.jspecify.annotations.NullMarked;
