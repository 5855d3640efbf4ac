package dev.postrider.cli.demo;

import java.util.List;

/**
 * How a demo ended.
 *
 * @param table for people
 * @param lastLine for scripts
 * @param isGood whether nothing was lost, out of order, or sent without having been committed
 */
public record DemoResult(List<String> table, String lastLine, boolean isGood) {}
