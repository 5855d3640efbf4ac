package dev.postrider.console;

import dev.postrider.service.Routes;
import dev.postrider.service.operation.OperatedOutbox;
import dev.postrider.service.operation.OperatedOutboxes;
import dev.postrider.service.operation.Operator;
import dev.postrider.spi.StoreException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The outboxes of the console, each by the name that stands first in the path of a call. Thread-safe. */
final class WatchedOutboxes {

    private final Map<String, WatchedOutbox> outboxes = new LinkedHashMap<>();

    WatchedOutboxes(OperatedOutboxes all) {
        all.names().forEach(name -> outboxes.put(name, new WatchedOutbox(name, all)));
    }

    Collection<WatchedOutbox> all() {
        return outboxes.values();
    }

    Set<String> names() {
        return outboxes.keySet();
    }

    WatchedOutbox of(Call call) {
        return named(call.part(0));
    }

    WatchedOutbox named(String name) {
        return Optional.ofNullable(outboxes.get(name))
                .orElseThrow(() -> new IllegalArgumentException("There is no outbox '" + name + "'"));
    }

    /** One whose tables are Postrider's own. */
    OperatedOutbox own(Call call) {
        OperatedOutbox opened = of(call).open();
        if (opened.isForeign()) {
            throw new StoreException("The tables of this outbox are of others; of them only the status is known");
        }
        return opened;
    }

    /** Where topics of this outbox lead. */
    static Routes routes(OperatedOutbox outbox) {
        return outbox.routes()
                .orElseThrow(() -> new IllegalArgumentException("Which topics lead to a destination is known where the"
                        + " console was started with a configuration file; filter by topic"));
    }

    /** Who calls, as the one who changes this outbox. */
    Operator operator(Call call) {
        return new Operator(of(call).open().store(), call.grant().operator());
    }
}
