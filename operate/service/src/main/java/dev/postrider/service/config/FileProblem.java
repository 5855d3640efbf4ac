package dev.postrider.service.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read, in words: the exceptions of the platform often have the name of the file alone. */
final class FileProblem {

    private FileProblem() {}

    static String of(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is none";
        }
        if (failure instanceof AccessDeniedException) {
            return "this user may not read it";
        }
        return failure instanceof CharacterCodingException
                ? "it is not in UTF-8"
                : String.valueOf(failure.getMessage());
    }
}
