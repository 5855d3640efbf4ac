/**
 * Reads a configuration file: YAML into sections that know their lines, and settings that translate into builder calls.
 *
 * <p>Start at {@link dev.postrider.service.config.ConfigFile}. A mistake becomes a
 * {@link dev.postrider.service.config.ConfigException} that names the file, the line and what would be right. Values are never
 * part of a message where they may be secret.
 */
@NullMarked
package dev.postrider.service.config;

import org.jspecify.annotations.NullMarked;
