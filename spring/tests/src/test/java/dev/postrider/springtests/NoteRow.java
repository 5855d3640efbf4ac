package dev.postrider.springtests;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PrePersist;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import java.util.function.Consumer;

/** A note whose number comes from the database, so that JPA inserts it at once and not when it flushes. */
@Entity
@Table(name = "notes")
public class NoteRow {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    private String text;

    @Transient
    private transient Consumer<String> callback = phase -> {};

    protected NoteRow() {}

    NoteRow(String text, Consumer<String> callback) {
        this.text = text;
        this.callback = callback;
    }

    @PrePersist
    void beforeInsert() {
        callback.accept("before " + text);
    }

    @PostPersist
    void afterInsert() {
        callback.accept("after " + text);
    }
}
