package dev.postrider.service.database;

import java.util.regex.Pattern;

/** Texts without the secrets that addresses may carry: for messages, also for those of drivers, which quote addresses. */
public final class SafeText {

    private static final Pattern PARAMETER =
            Pattern.compile("(?i)([a-z_]*(?:password|passwd|pwd|secret|token))=(?!\\*\\*\\*)[^&;\\s]*");
    private static final Pattern USER_INFO = Pattern.compile("//\\S*@");

    private SafeText() {}

    public static String of(String text) {
        return USER_INFO.matcher(PARAMETER.matcher(text).replaceAll("$1=***")).replaceAll("//***@");
    }
}
