package dev.postrider.spring.boot;

import java.security.Principal;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

/** What Spring Security knows of somebody. Loaded only where it is there. */
final class Authorities {

    private Authorities() {}

    static Set<String> of(Principal user) {
        Set<String> names = new TreeSet<>();
        if (user instanceof Authentication known && known.isAuthenticated()) {
            for (GrantedAuthority authority : known.getAuthorities()) {
                names.add(String.valueOf(authority.getAuthority()));
            }
        }
        return names;
    }
}
