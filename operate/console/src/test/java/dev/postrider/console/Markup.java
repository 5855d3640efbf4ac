package dev.postrider.console;

/** What an attacker writes into every field of a message. */
final class Markup {

    static final String SCRIPT = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>";

    private Markup() {}
}
