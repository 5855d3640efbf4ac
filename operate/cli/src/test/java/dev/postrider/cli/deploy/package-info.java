/** What lies in deploy/, compared with the commands, options, addresses and metrics that there are. */
@NullMarked
package dev.postrider.cli.deploy;

import org.jspecify.annotations.NullMarked;
