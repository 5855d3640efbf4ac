/** The code in README and getting-started, compiled and run, and the test that both are the same. */
@NullMarked
package dev.postrider.cli.docs;

import org.jspecify.annotations.NullMarked;
