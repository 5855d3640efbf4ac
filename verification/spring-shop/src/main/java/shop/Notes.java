package shop;

import dev.postrider.spring.SpringOutbox;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Work in a transaction inside another. */
@Service
public class Notes {

    /** The change of an event that must never arrive. */
    public static final int NEVER = -1;

    private final SpringOutbox outbox;

    public Notes(SpringOutbox outbox) {
        this.outbox = outbox;
    }

    @Transactional(propagation = Propagation.NESTED)
    public void noteAndFail(String id) {
        outbox.publish(new OrderChanged(id, NEVER));
        throw new IllegalStateException("no note on " + id);
    }
}
