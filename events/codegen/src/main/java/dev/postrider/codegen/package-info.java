/**
 * A protoc plugin: .proto files with messages marked as events come in, typed publishers and handlers go out.
 *
 * <p>Reads the request of protoc, collects the events of each proto package ({@code EventReader}), and writes one Java class for each
 * ({@code EventsClass}). Start at {@link dev.postrider.codegen.Main}.
 */
@NullMarked
package dev.postrider.codegen;

import org.jspecify.annotations.NullMarked;
