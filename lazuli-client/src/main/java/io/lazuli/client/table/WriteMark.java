package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Makes sure that a change that is read, computed and written takes effect once, although the SDK
 * repeats requests whose answers were lost.
 *
 * <h2>How</h2>
 *
 * <p>If a write arrived but its answer was lost, the repeated write fails as if somebody else had
 * changed the entity: the ETag is no longer the expected one. So the change leaves a mark in the
 * entity, in the property {@value #PROPERTY}. If a write fails and its body may have been sent more
 * than once, or if no answer arrived at all, the entity is read once more:
 *
 * <ul>
 *   <li>It has the mark of this change: the write was made.
 *   <li>It still has a mark from the time when it was read for this change: nobody removed marks in
 *       between, so the write was not made. If its ETag has changed, a delayed repetition cannot
 *       succeed either, and the change may start over.
 *   <li>Otherwise somebody deleted the entity or replaced it without its marks, or at least {@value
 *       Marks#MAX} others changed it. The change fails with {@link OutcomeUnknown}.
 * </ul>
 *
 * <p>If the body was sent once and the service rejected it, nothing is read: that is the usual
 * conflict with another client.
 *
 * <h2>Cost</h2>
 *
 * <p>The property has about 20 characters if one process changes the entity, and at most 250 if
 * many do. It is one of the 252 properties that an entity can have; an entity that has 252 others
 * is not marked.
 *
 * <p>A mark belongs to one change, with all its attempts. Threads may share it.
 */
public final class WriteMark {
  /** The property of an entity that holds the marks of its last changes. */
  public static final String PROPERTY = "LazuliWrites";

  private final String text;

  private WriteMark(String text) {
    this.text = text;
  }

  /**
   * Runs a change with a mark of its own.
   *
   * @param entity the key of the entity, or of the partition if the change concerns several
   *     entities. Changes of the same entity share few marks
   * @param change may write several times, if each write is prepared with {@link #over} for an
   *     entity that was read after the previous write had failed
   */
  public static <R> Mono<R> using(Object entity, Function<WriteMark, Mono<R>> change) {
    return Mono.using(
        () -> WriteSlot.take(entity),
        slot -> change.apply(new WriteMark(slot.nextMark())),
        WriteSlot::release);
  }

  /** Prepares a write over an entity that was read. */
  public MarkedWrite over(TableEntity before) {
    return new MarkedWrite(text, EntityKey.of(before), Optional.of(before));
  }

  /**
   * Prepares a write over the entity with a key.
   *
   * @param before the entity as it was read; empty if it did not exist
   */
  public MarkedWrite over(EntityKey key, Optional<TableEntity> before) {
    return new MarkedWrite(text, key, before);
  }
}
