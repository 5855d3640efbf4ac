/** Servers of the tests, as those of a proof. */
@NullMarked
package dev.postrider.proofservers;

import org.jspecify.annotations.NullMarked;
