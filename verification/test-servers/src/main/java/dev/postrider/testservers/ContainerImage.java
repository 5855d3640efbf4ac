package dev.postrider.testservers;

import java.util.List;

/**
 * A container image of a server.
 *
 * @param name the image and its version
 * @param port the port inside
 * @param environment assignments that the image needs
 * @param arguments what the server gets on its command line
 */
record ContainerImage(String name, int port, List<String> environment, List<String> arguments) {}
