package dev.postrider.service.config;

import dev.postrider.message.PostriderException;

/** The configuration is wrong. The message says where and what would be right, and holds no secret. */
public final class ConfigException extends PostriderException {

    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
