package dev.postrider.service.console;

/** What somebody may see and do, the least first; each may also do what stands before it. */
public enum Role {
    /** Nothing at all. */
    NOTHING,
    /** See everything but payloads and the values of headers. */
    METADATA,
    /** See payloads and headers too, except what is masked. */
    PAYLOADS,
    /** Pause, resume, retry, discard and unblock. */
    OPERATE;

    public boolean includes(Role needed) {
        return compareTo(needed) >= 0;
    }
}
