package dev.postrider.console;

import dev.postrider.service.config.ConfigException;
import dev.postrider.service.console.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Knows people by their tokens; keeps only hashes of them. How long a comparison takes tells nothing of a token. */
final class TokenAccess implements Access {

    private static final String BEARER = "Bearer ";
    private static final int SHORTEST = 16;

    private record Known(Grant grant, byte[] hash) {}

    private final List<Known> people;

    private TokenAccess(List<Known> people) {
        this.people = List.copyOf(people);
    }

    static TokenAccess of(String token, Grant grant) {
        return new TokenAccess(List.of(new Known(grant, hash(token))));
    }

    static TokenAccess read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            List<Known> people = new ArrayList<>();
            for (int number = 1; number <= lines.size(); number++) {
                String line = lines.get(number - 1).strip();
                if (!line.isEmpty() && !line.startsWith("#")) {
                    people.add(known(line, file + ", line " + number));
                }
            }
            return new TokenAccess(people);
        } catch (IOException unreadable) {
            throw new ConfigException(
                    "Cannot read the token file " + file + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /** No part of a wrong line is shown: it may be a token. */
    private static Known known(String line, String place) {
        String[] words = line.split("\\s+");
        if (words.length != 3) {
            throw new ConfigException(place + ": expected NAME ROLE TOKEN");
        }
        Role role = Arrays.stream(Role.values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(words[1]))
                .findFirst()
                .orElseThrow(() -> new ConfigException(place + ": the role is not metadata, payloads or operate"));
        if (words[2].length() < SHORTEST) {
            throw new ConfigException(place + ": the token has fewer than " + SHORTEST + " characters");
        }
        return new Known(new Grant(words[0], role), hash(words[2]));
    }

    @Override
    public Grant grant(ConsoleRequest request) {
        String given = request.header("authorization").orElse("");
        byte[] hash = hash(given.startsWith(BEARER) ? given.substring(BEARER.length()) : "");
        Grant found = Grant.NOTHING;
        for (Known known : people) {
            found = MessageDigest.isEqual(known.hash(), hash) ? known.grant() : found;
        }
        return found;
    }

    private static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
