package dev.postrider.spring.boot;

import dev.postrider.console.ConsoleResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Tells the page which header Spring Security wants to see with each change. Loaded only where that is there. */
final class CsrfHeaders {

    private static final String NAME = "Postrider-Csrf-Header";
    private static final String VALUE = "Postrider-Csrf-Token";

    private CsrfHeaders() {}

    static ConsoleResponse add(ConsoleResponse answer, HttpServletRequest request) {
        return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
                ? answer.with(NAME, token.getHeaderName()).with(VALUE, token.getToken())
                : answer;
    }

    static Mono<ConsoleResponse> add(ConsoleResponse answer, ServerWebExchange exchange) {
        Mono<org.springframework.security.web.server.csrf.CsrfToken> wanted =
                exchange.getAttribute(org.springframework.security.web.server.csrf.CsrfToken.class.getName());
        return wanted == null
                ? Mono.just(answer)
                : wanted.map(token -> answer.with(NAME, token.getHeaderName()).with(VALUE, token.getToken()))
                        .defaultIfEmpty(answer);
    }
}
