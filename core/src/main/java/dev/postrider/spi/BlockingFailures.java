package dev.postrider.spi;

import dev.postrider.spi.DeliveryResult.Failed;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * What an exception of blocking code means, told by its type and those of its causes.
 *
 * <p>Nobody at the other end, or nobody who answers, is an outage: the next message would meet the same. Everything else may be the
 * message's own failure.
 */
final class BlockingFailures {

    /** By name: a runtime image may lack the module of the HTTP client, and the core stays with the packages that it has. */
    private static final Set<String> NAMES =
            Set.of("java.net.http.HttpTimeoutException", "javax.net.ssl.SSLHandshakeException");

    private static final int MAX_CAUSES = 20;

    private BlockingFailures() {}

    static Failed of(Throwable failure) {
        if (failure instanceof DeliveryFailedException judged) {
            return judged.result();
        }
        String reason = failure.getClass().getSimpleName() + ": " + failure.getMessage();
        return isOutage(failure) ? DeliveryResult.outage(reason, failure) : DeliveryResult.retry(reason, failure);
    }

    private static boolean isOutage(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            if (saysNobodyAnswers(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static boolean saysNobodyAnswers(Throwable failure) {
        return failure instanceof ConnectException
                || failure instanceof NoRouteToHostException
                || failure instanceof PortUnreachableException
                || failure instanceof UnknownHostException
                || failure instanceof UnresolvedAddressException
                || failure instanceof SocketTimeoutException
                || failure instanceof TimeoutException
                || isNamed(failure.getClass());
    }

    private static boolean isNamed(Class<?> type) {
        return NAMES.contains(type.getName()) || (type.getSuperclass() != null && isNamed(type.getSuperclass()));
    }
}
