package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.client.entity.EntityKey;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One conditional write of a change, which recognises itself if its answer is lost: see {@link
 * WriteMark}. Create it before the entity that was read is changed. Immutable.
 */
public final class MarkedWrite {
  /** The service's limit, not counting the keys and the timestamp. */
  private static final int PROPERTIES_MAX = 252;

  private static final int SERVER_ERROR = 500;

  private final String mark;
  private final EntityKey key;
  private final Optional<TableEntity> before;
  private final @Nullable String eTag;
  private final Marks marks;

  MarkedWrite(String mark, EntityKey key, Optional<TableEntity> before) {
    this.mark = mark;
    this.key = key;
    this.before = before;
    this.eTag = before.map(TableEntity::getETag).orElse(null);
    this.marks = Marks.of(before);
  }

  /** Adds the mark to the entity that replaces the one that was read, and returns it. */
  public TableEntity mark(TableEntity next) {
    return marked(next, next.getProperties().keySet());
  }

  /** Adds the mark to properties that will be merged into the entity that was read. */
  public TableEntity markMerge(TableEntity properties) {
    Set<String> names = new HashSet<>(properties.getProperties().keySet());
    before.ifPresent(read -> names.addAll(read.getProperties().keySet()));
    return marked(properties, names);
  }

  private TableEntity marked(TableEntity next, Set<String> names) {
    long others = names.stream().filter(MarkedWrite::counts).count();
    if (others < PROPERTIES_MAX) {
      return next.addProperty(WriteMark.PROPERTY, marks.with(mark).text());
    }
    next.getProperties().remove(WriteMark.PROPERTY); // Old marks would say that nobody wrote.
    return next;
  }

  private static boolean counts(String name) {
    return switch (name) {
      case "PartitionKey", "RowKey", "Timestamp", WriteMark.PROPERTY -> false;
      default -> !name.contains("odata.");
    };
  }

  /**
   * Sends the write.
   *
   * @param write the request; it requires that the entity still has the ETag it was read with, or
   *     does not exist if it did not exist then
   * @param now reads the entity with the marks; empty if there is none
   * @param made the result if the write turns out to be made although it failed
   * @return the result of the write; its error if the write was not made and a delayed repetition
   *     cannot succeed; otherwise {@link OutcomeUnknown}
   */
  public <R> Mono<R> send(Mono<R> write, Mono<TableEntity> now, R made) {
    return Mono.defer(
        () -> {
          Sends sends = new Sends();
          return sends
              .observing(write)
              .onErrorResume(
                  Exception.class,
                  failure ->
                      isLocal(failure) || (isAnswer(failure) && sends.once())
                          ? Mono.error(failure)
                          : settled(failure, now, made));
        });
  }

  private <R> Mono<R> settled(Throwable failure, Mono<TableEntity> now, R made) {
    return now.map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .onErrorMap(
            unreadable -> {
              failure.addSuppressed(unreadable);
              return new OutcomeUnknown(key, failure);
            })
        .flatMap(
            found ->
                found
                    .map(there -> settled(failure, there, made))
                    .orElseGet(() -> Mono.error(new OutcomeUnknown(key, failure))));
  }

  private <R> Mono<R> settled(Throwable failure, TableEntity now, R made) {
    Marks found = Marks.of(Optional.of(now));
    if (found.contain(mark)) {
      return Mono.just(made);
    }
    if (!found.continueFrom(marks)) {
      return Mono.error(new OutcomeUnknown(key, failure));
    }
    if (isAnswer(failure)) {
      return Mono.error(failure);
    }
    return Mono.error(
        now.getETag().equals(eTag)
            ? new OutcomeUnknown(key, failure)
            : new ConditionNotMet(key, failure));
  }

  /** Returns whether the request was refused before it was sent. */
  private static boolean isLocal(Throwable failure) {
    return failure instanceof IllegalArgumentException;
  }

  /** Returns whether the service rejected the request, as opposed to not executing it. */
  private static boolean isAnswer(Throwable failure) {
    return failure instanceof TableFailure
        || (failure instanceof TableServiceException thrown
            && (thrown.getResponse() == null
                || thrown.getResponse().getStatusCode() < SERVER_ERROR));
  }
}
