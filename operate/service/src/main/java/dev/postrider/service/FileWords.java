package dev.postrider.service;

import dev.postrider.internal.Internal;
import dev.postrider.message.OutboxMessage;
import dev.postrider.service.config.Setting;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.ExistingKeys;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.destination.DestinationFactory.Key;
import dev.postrider.service.destination.DestinationTypes;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.FailureClassifier;
import dev.postrider.spi.Finding;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Texts of stores, relays and destinations, which name methods of builders, in the words of a reader who has a configuration file and
 * a command line: {@code createTopics} becomes {@code create-topics}, {@code schemaMode(CREATE)} {@code 'postrider schema apply'}.
 */
public final class FileWords {

    /** What is a command here, and not a key; or what a file cannot say at all. */
    private static final Map<String, String> PHRASES = Map.of(
            "schemaMode(CREATE)", "'postrider schema apply'",
            "schemaSql()", "'postrider schema print'",
            "leader(RELAY_NAME) for the table", "leader: relay-name in section 'existing'",
            "raise MessageLimits", "raise max-payload-bytes or max-header-bytes",
            ", or let createStream(...) do so", "");

    private static final Pattern ORDERING = Pattern.compile("\\bOrdering\\.([A-Z_]+)\\b");

    /** A call such as {@code lanes(1)}, or a name such as {@code maxAttempts}; some of these are keys. */
    private static final Pattern CALL =
            Pattern.compile("\\b([a-z][A-Za-z]*)\\(([^()]*)\\)|\\b([a-z]+[A-Z][A-Za-z]*)\\b");

    private static final Map<String, String> KEYS = keys();

    private FileWords() {}

    private static Map<String, String> keys() {
        Map<String, String> keys = new HashMap<>();
        Stream<String> ofDestinations = DestinationTypes.onClassPath().factories().stream()
                .flatMap(factory -> factory.keys().stream())
                .map(Key::name);
        Stream<String> ofOutboxes = Stream.of(
                        RelaySettings.ALL,
                        MaintenanceSettings.CLEANUP,
                        MaintenanceSettings.PARTITIONS,
                        StoreSettings.SETTINGS,
                        DatabaseSettings.SETTINGS,
                        OutboxConfig.SETTINGS,
                        ExistingKeys.MAPPING,
                        ExistingKeys.STORE,
                        ExistingKeys.MOVE,
                        ExistingKeys.COLUMNS,
                        ExistingKeys.STATUS)
                .map((Collection<? extends Setting<?>> settings) -> Setting.names(settings))
                .flatMap(List::stream);
        Stream.concat(ofOutboxes, ofDestinations).forEach(key -> keys.put(Setting.methodOf(key), key));
        return keys;
    }

    /** All keys that a configuration may have, except those that name something of the user's. */
    @Internal
    public static Collection<String> keyNames() {
        return Collections.unmodifiableCollection(KEYS.values());
    }

    public static String of(String text) {
        String result = text;
        for (Map.Entry<String, String> phrase : PHRASES.entrySet()) {
            result = result.replace(phrase.getKey(), phrase.getValue());
        }
        return inKeys(result);
    }

    /** In the words of a reader who has keys, but no command line: {@code schemaMode(CREATE)} becomes {@code schema-mode: create}. */
    @Internal
    public static String inKeys(String text) {
        String result = ORDERING.matcher(text).replaceAll(found -> "ordering: " + value(found.group(1)));
        return CALL.matcher(result).replaceAll(found -> Matcher.quoteReplacement(key(found)));
    }

    private static String key(MatchResult found) {
        boolean isCall = found.group(1) != null;
        String key = KEYS.get(isCall ? found.group(1) : found.group(3));
        if (key == null) {
            return found.group();
        }
        if (!isCall || found.group(2).isEmpty()) {
            return key;
        }
        return found.group(2).matches("[A-Z_0-9]+") ? key + ": " + value(found.group(2)) : found.group();
    }

    private static String value(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Leaves every judgement as it is, in these words. */
    static final FailureClassifier CLASSIFIER = new FailureClassifier() {
        @Override
        public DeliveryResult.Failed classify(OutboxMessage message, DeliveryResult.Failed failure) {
            return of(failure);
        }

        @Override
        public boolean keepsRejections() {
            return true;
        }
    };

    /** The same failure in these words. */
    static DeliveryResult.Failed of(DeliveryResult.Failed failure) {
        return of(failure, FileWords::of);
    }

    /** The same failure in other words. */
    @Internal
    public static DeliveryResult.Failed of(DeliveryResult.Failed failure, UnaryOperator<String> words) {
        String reason = words.apply(failure.reason());
        if (failure instanceof DeliveryResult.Retry retry) {
            return new DeliveryResult.Retry(reason, retry.cause());
        }
        if (failure instanceof DeliveryResult.Unavailable place) {
            return new DeliveryResult.Unavailable(place.place(), place.concernsTopic(), reason, place.cause());
        }
        return failure instanceof DeliveryResult.Reject reject
                ? new DeliveryResult.Reject(reason, reject.cause())
                : new DeliveryResult.Outage(reason, failure.cause());
    }

    /** The same finding in these words. */
    public static Finding of(Finding finding) {
        return new Finding(finding.severity(), of(finding.what()), of(finding.meaning()), of(finding.fix()));
    }
}
