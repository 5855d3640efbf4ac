package dev.postrider.console;

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
        return Optional.ofNullable(outboxes.get(call.part(0)))
                .orElseThrow(() -> new IllegalArgumentException("There is no outbox '" + call.part(0) + "'"));
    }

    /** One whose tables are Postrider's own. */
    OperatedOutbox own(Call call) {
        OperatedOutbox opened = of(call).open();
        if (opened.isForeign()) {
            throw new StoreException("The tables of this outbox are of others; of them only the status is known");
        }
        return opened;
    }

    /** Who calls, as the one who changes this outbox. */
    Operator operator(Call call) {
        return new Operator(of(call).open().store(), call.grant().operator());
    }
}
