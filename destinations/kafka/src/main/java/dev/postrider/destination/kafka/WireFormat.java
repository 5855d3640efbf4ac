package dev.postrider.destination.kafka;

/** What a record looks like. In both forms the record's key is the message's key in UTF-8. */
public enum WireFormat {

    /**
     * CloudEvents 1.0 in binary mode: the value is the payload as it is, each attribute is a header {@code ce_…}, the content
     * type is the header {@code content-type}, and all other headers of the message stand beside them. A message whose content type
     * is {@code application/cloudevents+json} is written in structured mode: the value is one JSON object with attributes and payload.
     */
    CLOUD_EVENTS {
        @Override
        RecordWriter writer(String defaultSource) {
            return new CloudEventRecords(defaultSource);
        }
    },

    /**
     * A JSON envelope as the value, with the members {@code event_id}, {@code aggregate_type}, {@code aggregate_id}, {@code
     * event_type} and {@code payload}, and headers {@code event_id}, {@code event_type}, {@code aggregate_type}, {@code timestamp}
     * and {@code content-type} beside the message's own. For JSON payloads only; anything else is rejected.
     */
    PLAIN {
        @Override
        RecordWriter writer(String defaultSource) {
            return new PlainRecords();
        }
    };

    abstract RecordWriter writer(String defaultSource);
}
