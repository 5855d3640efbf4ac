package dev.postrider.service;

import com.sun.net.httpserver.HttpExchange;
import dev.postrider.internal.Internal;
import java.io.IOException;

/** Answers everything below one path of the service's HTTP port. Thread-safe. */
@Internal
public interface HttpPart extends AutoCloseable {

    /** Below which path. */
    String path();

    /** Answers, at once or from another thread, and closes the exchange. */
    void handle(HttpExchange exchange) throws IOException;

    /** Stops answering. */
    @Override
    void close();
}
