package dev.postrider.codegen;

/** A .proto file uses the options wrongly. The text begins with file, line and column. */
final class InvalidProtoException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidProtoException(String place, String problem) {
        super(place + ": " + problem);
    }
}
