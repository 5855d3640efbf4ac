/**
 * Keeps results and shows them: JSON lines ({@link dev.postrider.bench.report.Journal}), a CSV summary, and a report in Markdown with
 * plots in SVG ({@link dev.postrider.bench.report.Report}).
 */
@Internal
@NullMarked
package dev.postrider.bench.report;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
