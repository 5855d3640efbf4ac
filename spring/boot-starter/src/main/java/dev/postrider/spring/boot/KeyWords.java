package dev.postrider.spring.boot;

import dev.postrider.message.OutboxMessage;
import dev.postrider.service.FileWords;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.FailureClassifier;

/** Leaves every judgement of a destination as it is, in the words of the properties. */
final class KeyWords implements FailureClassifier {

    @Override
    public DeliveryResult.Failed classify(OutboxMessage message, DeliveryResult.Failed failure) {
        return FileWords.of(failure, FileWords::inKeys);
    }

    @Override
    public boolean keepsRejections() {
        return true;
    }
}
