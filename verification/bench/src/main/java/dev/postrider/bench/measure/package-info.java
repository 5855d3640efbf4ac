/** What is measured: rounds, rates, delays, and the lines that come of them. Knows no database and no relay. */
@NullMarked
package dev.postrider.bench.measure;

import org.jspecify.annotations.NullMarked;
