package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * How values of a type become table entities and come back. Codecs are immutable and may be shared
 * by threads.
 *
 * @param <T> the type of the values
 */
public interface EntityCodec<T> {
  /** The entity of a value: its keys, its properties and, if the value carries one, its ETag. */
  TableEntity write(T value);

  /**
   * The value of an entity.
   *
   * @throws MappingFailure if the entity does not fit the type
   */
  T read(TableEntity entity);

  /**
   * The entity to send for a value in a write of some kind. Codecs to which the kind matters, such
   * as those that encrypt, refuse the ones that they cannot serve.
   */
  default TableEntity write(T value, TableTransactionActionType kind) {
    return write(value);
  }

  /** As {@link #write(Object, TableTransactionActionType)}, for codecs that may have to wait. */
  default Mono<TableEntity> encode(T value, TableTransactionActionType kind) {
    return Mono.fromSupplier(() -> write(value, kind));
  }

  /**
   * The values of entities, in their order: as {@link #read}, for codecs that may have to wait.
   *
   * @param selected the properties that were asked for; empty for all
   */
  default Flux<T> decode(Flux<TableEntity> entities, Set<String> selected) {
    return entities.map(this::read);
  }

  /** The value of one entity that was read as a whole: as {@link #decode(Flux, Set)}. */
  default Mono<T> decode(TableEntity entity) {
    return decode(Flux.just(entity), Set.of()).single();
  }

  /** The codec for values of another type in the table of this one. */
  default <S> EntityCodec<S> beside(EntityCodec<S> other) {
    return other;
  }

  /** The key of a value. */
  default EntityKey key(T value) {
    return EntityKey.of(write(value));
  }

  /** The properties by the name of their member; none if this codec does not know them. */
  default Map<String, MappedProperty> properties() {
    return Map.of();
  }

  /** The names of the properties whose members are marked {@link Encrypted}. */
  default Set<String> encryptedProperties() {
    return Set.of();
  }

  /**
   * The properties without which no entity can be read. A query that selects some of the properties
   * asks for these too.
   */
  default Set<String> alwaysSelected() {
    return Set.of();
  }

  /**
   * This codec, which can now also read what was written for an older version of the type.
   *
   * <pre>{@code
   * @TypeName("Employee") record EmployeeV1(...) {}
   * @TypeName(value = "Employee", version = 2) record Employee(...) {}
   *
   * EntityCodec.of(Employee.class).upcasting(EmployeeV1.class, old -> new Employee(...));
   * }</pre>
   *
   * @param old the older version; it has a {@link TypeName}
   * @param upcast makes the newer value of the older
   */
  default <O> EntityCodec<T> upcasting(Class<O> old, Function<? super O, ? extends T> upcast) {
    return UpcastingCodec.of(this, old, upcast);
  }

  /**
   * The codec of a record, of a bean, or of a sealed family of these. It is made once for each
   * type.
   *
   * <p>The property of a member has the member's name with a capital: {@code lastName} is stored as
   * {@code LastName}, see {@link Name}. The members of a record are its components; those of a
   * bean, a class with a constructor without parameters, are its public fields and what it has both
   * a getter and a setter for. They may be:
   *
   * <ul>
   *   <li>{@code String}, {@code boolean}, {@code int}, {@code long}, {@code double}, {@code UUID},
   *       {@code byte[]}, {@code Instant}, {@code OffsetDateTime}, each as the Edm type for it.
   *       Times are cut to 100 nanoseconds and come back in UTC;
   *   <li>an enum, by name;
   *   <li>an {@code Optional} of these;
   *   <li>anything else if it is marked {@link Json}.
   * </ul>
   *
   * <p>A component of a record that may be null is marked with an annotation called {@code
   * Nullable}; others must not be null, neither when they are written nor when they are read. In a
   * bean everything may be null, and a property that an entity does not have leaves its member as
   * the constructor made it. Null and empty values are not stored.
   *
   * <p>Of a family, a sealed type, the permitted classes have a {@link TypeName} or a {@link
   * RowKeyPrefix}, which tells whose entity is read.
   *
   * @throws MappingFailure if the type cannot be mapped; it names the member and says what to do
   */
  static <T> EntityCodec<T> of(Class<T> type) {
    return CodecCache.of(type);
  }

  /**
   * The codec of entities whose properties are not known beforehand: the entities themselves. Fetch
   * one, change a property, and merge it.
   */
  static EntityCodec<TableEntity> dynamic() {
    return DynamicCodec.INSTANCE;
  }
}
