package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.postrider.internal.SafeListeners;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

class SafeListenersTest {

    private final List<String> heard = new ArrayList<>();

    @BeforeAll
    static void expectWarnings() {
        ((Logger) LoggerFactory.getLogger(SafeListeners.class)).setLevel(Level.OFF);
    }

    @AfterAll
    static void warnAgain() {
        ((Logger) LoggerFactory.getLogger(SafeListeners.class)).setLevel(null);
    }

    @ParameterizedTest
    @MethodSource("dev.postrider.relay.ListenerEvents#all")
    void passesEveryEventOnToAll(Method event) throws Exception {
        event.invoke(
                SafeListeners.of(RelayListener.class, List.of(hears("one"), hears("other"))),
                ListenerEvents.arguments(event));

        assertThat(heard).containsExactly(call("one", event), call("other", event));
    }

    @ParameterizedTest
    @MethodSource("dev.postrider.relay.ListenerEvents#all")
    void goesOnWhenAListenerFails(Method event) {
        List<RelayListener> listeners = List.of(
                fails(new IllegalStateException("broken")),
                fails(new NoClassDefFoundError("broken")),
                fails(new AssertionError("broken")),
                hears("last"));

        assertThatCode(() ->
                        event.invoke(SafeListeners.of(RelayListener.class, listeners), ListenerEvents.arguments(event)))
                .doesNotThrowAnyException();
        assertThat(heard).containsExactly(call("last", event));
    }

    private static String call(String who, Method event) {
        return who + " " + event.getName() + " " + List.of(ListenerEvents.arguments(event));
    }

    private RelayListener hears(String who) {
        return listener((event, arguments) -> heard.add(who + " " + event.getName() + " " + List.of(arguments)));
    }

    private static RelayListener fails(Throwable failure) {
        return listener((event, arguments) -> {
            throw failure;
        });
    }

    private static RelayListener listener(Reaction reaction) {
        return (RelayListener) Proxy.newProxyInstance(
                SafeListenersTest.class.getClassLoader(),
                new Class<?>[] {RelayListener.class},
                (proxy, event, arguments) -> {
                    if (event.getDeclaringClass() == RelayListener.class) {
                        reaction.to(event, arguments);
                    }
                    return null;
                });
    }

    private interface Reaction {
        void to(Method event, Object[] arguments) throws Throwable;
    }
}
