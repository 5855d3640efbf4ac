package dev.postrider.spring.boot;

import dev.postrider.service.config.ConfigException;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What stands below {@code postrider.console}. Immutable.
 *
 * @param authorities which authorities of the application have a role; nobody has one unless this says so
 */
record ConsoleProperties(ConsoleSettings settings, Map<Role, Set<String>> authorities) {

    static final String CONSOLE = "console";

    private static final String ROLES = "roles";

    /** Who is on the same machine is of no interest behind the security of an application. */
    private static final List<Setting<ConsoleSettings.Builder>> SETTINGS = ConsoleSettings.SETTINGS.stream()
            .filter(setting -> !setting.name().equals("loopback-role"))
            .toList();

    static List<String> keys() {
        List<String> keys = new ArrayList<>(Setting.names(SETTINGS));
        keys.add(ROLES);
        return keys;
    }

    static ConsoleProperties read(Section console) {
        console.allow(keys());
        ConsoleSettings.Builder builder = new ConsoleSettings.Builder();
        console.applyTo(builder, SETTINGS);
        Map<Role, Set<String>> authorities = new EnumMap<>(Role.class);
        console.section(ROLES)
                .ifPresent(roles -> roles.texts()
                        .forEach((role, names) ->
                                authorities.put(role(role).orElseThrow(() -> unknown(roles, role)), listed(names))));
        return new ConsoleProperties(builder.build(), authorities);
    }

    private static Optional<Role> role(String name) {
        return Arrays.stream(Role.values())
                .filter(role -> role != Role.NOTHING)
                .filter(role -> role.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst();
    }

    private static ConfigException unknown(Section roles, String name) {
        return roles.refuse(name, "is no role; expected metadata, payloads or operate");
    }

    private static Set<String> listed(String names) {
        Set<String> listed = new TreeSet<>(Arrays.asList(names.strip().split("\\s*,\\s*", -1)));
        listed.remove("");
        return listed;
    }

    /** The highest role that one of these authorities has. */
    Role roleOf(Set<String> granted) {
        Role highest = Role.NOTHING;
        for (Map.Entry<Role, Set<String>> role : authorities.entrySet()) {
            if (role.getKey().includes(highest) && role.getValue().stream().anyMatch(granted::contains)) {
                highest = role.getKey();
            }
        }
        return highest;
    }
}
