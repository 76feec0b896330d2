package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Converts values of a type to table entities and back. Codecs are immutable, and threads may share
 * them.
 *
 * @param <T> the type of the values
 */
public interface EntityCodec<T> {
  /**
   * Returns the entity of a value: its keys, its properties and, if the value carries one, its
   * ETag.
   */
  TableEntity write(T value);

  /**
   * Returns the value of an entity.
   *
   * @throws MappingFailure if the entity does not fit the type
   */
  T read(TableEntity entity);

  /**
   * Returns the entity to send for a value in the given kind of write. A codec for which the kind
   * matters, such as one that encrypts, rejects the kinds that it does not support.
   */
  default TableEntity write(T value, TableTransactionActionType kind) {
    return write(value);
  }

  /** Like {@link #write(Object, TableTransactionActionType)}, for codecs that may have to wait. */
  default Mono<TableEntity> encode(T value, TableTransactionActionType kind) {
    return Mono.fromSupplier(() -> write(value, kind));
  }

  /**
   * Returns the entity to send in place of a stored one: the entity of a value, and the properties
   * of the stored one that this codec does not {@linkplain #knowsProperty know}.
   *
   * @param stored the whole entity as it was read
   */
  default Mono<TableEntity> encodeOver(TableEntity stored, T value) {
    return encode(value, TableTransactionActionType.UPDATE_REPLACE)
        .map(next -> UnknownProperties.carry(stored, next, this::knowsProperty));
  }

  /**
   * Returns whether values of this codec represent a property. An update keeps the other properties
   * of an entity, which a newer program may have written. A codec of your own knows all properties
   * unless it overrides this method: an update then drops those that it does not write.
   */
  default boolean knowsProperty(String property) {
    return true;
  }

  /**
   * Returns a value with the ETag that its entity received when it was written. A value that cannot
   * carry an ETag is returned as it is. A bean is changed; other values are copied.
   */
  default T withETag(T value, String eTag) {
    return value;
  }

  /**
   * Returns the values of entities, in their order: like {@link #read}, for codecs that may have to
   * wait.
   *
   * @param selected the properties that the query selected; empty for all
   */
  default Flux<T> decode(Flux<TableEntity> entities, Set<String> selected) {
    return entities.map(this::read);
  }

  /**
   * Returns the value of one entity that was read with all its properties: like {@link
   * #decode(Flux, Set)}.
   */
  default Mono<T> decode(TableEntity entity) {
    return decode(Flux.just(entity), Set.of()).single();
  }

  /** Returns the codec to use for values of another type in the same table. */
  default <S> EntityCodec<S> forSameTable(EntityCodec<S> other) {
    return other;
  }

  /** Returns the key of a value. */
  default EntityKey key(T value) {
    return EntityKey.of(write(value));
  }

  /**
   * Returns the properties by the names of their members; empty if this codec does not know them.
   */
  default Map<String, MappedProperty> properties() {
    return Map.of();
  }

  /** Returns the names of the properties whose members are marked {@link Encrypted}. */
  default Set<String> encryptedProperties() {
    return Set.of();
  }

  /**
   * Returns the properties without which no entity can be read. A query that selects properties
   * also selects these.
   */
  default Set<String> alwaysSelected() {
    return Set.of();
  }

  /**
   * Checks that values can be read from entities that have only some of their properties.
   *
   * @param selected the properties that a query selects
   * @throws MappingFailure if a member that must have a value is not among them
   */
  default void checkSelected(Set<String> selected) {}

  /**
   * Checks that this codec may write. Every table and every pattern calls it when it is made.
   *
   * @throws MappingFailure if a member is marked {@link Encrypted} and would be stored as plain
   *     text
   */
  default void checkWritable() {}

  /**
   * Returns this codec, extended so that it writes members that are marked {@link Encrypted} as
   * plain text. Only a codec that encrypts the written entities may use it.
   */
  default EntityCodec<T> unencrypted() {
    return this;
  }

  /**
   * Returns whether the type of an entity is known. It is unknown if the codec has a {@link
   * TypeName} and the entity has another one, or if the codec is that of a family and the entity
   * belongs to none of its classes. Another version of a known type is not an unknown type.
   */
  default boolean knows(TableEntity entity) {
    return true;
  }

  /**
   * Returns this codec, changed so that tables skip entities of unknown types: {@code find} returns
   * nothing, and queries leave them out. Without it, such an entity is a {@link MappingFailure}. It
   * is one also here if the entity is updated, or passed to {@link #read}.
   */
  default EntityCodec<T> skippingUnknownTypes() {
    return new SkippingCodec<>(this);
  }

  /**
   * Returns a codec of the values of this codec and of entities of unknown types, which it leaves
   * as they are.
   */
  default EntityCodec<Found<T>> orDynamic() {
    return new FoundCodec<>(this);
  }

  /**
   * Returns this codec, extended so that it also reads entities of an older version of the type.
   *
   * <pre>{@code
   * @TypeName("Employee") record EmployeeV1(...) {}
   * @TypeName(value = "Employee", version = 2) record Employee(...) {}
   *
   * EntityCodec.of(Employee.class).upcasting(EmployeeV1.class, old -> new Employee(...));
   * }</pre>
   *
   * @param old the older version; it has a {@link TypeName}
   * @param upcast converts an older value to a newer one
   */
  default <O> EntityCodec<T> upcasting(Class<O> old, Function<? super O, ? extends T> upcast) {
    return UpcastingCodec.of(this, old, upcast);
  }

  /**
   * Returns the codec of a record, of a class, or of a sealed family of these. The codec is created
   * once for each type.
   *
   * <p>The property of a member has the member's name with a capital: {@code lastName} is stored as
   * {@code LastName}, see {@link Name}. The members of a record are its components. The members of
   * a class are those of the first of these that sets the most members:
   *
   * <ul>
   *   <li>a bean, which has a constructor without parameters: its public fields, and everything
   *       that has both a getter and a setter;
   *   <li>a builder, which a static method {@code builder()} or {@code newBuilder()} returns and
   *       whose method {@code build()} returns the class: everything that has both an accessor in
   *       the class and a method in the builder, named {@code age}, {@code setAge} or {@code
   *       withAge};
   *   <li>the constructor with the most parameters: its parameters, each of which has an accessor
   *       in the class, and the members of a bean. The names of the parameters must be known:
   *       compile with {@code -parameters} (Kotlin: {@code -java-parameters}), or mark the
   *       constructor with {@link java.beans.ConstructorProperties}. A constructor that is marked
   *       so is always used.
   * </ul>
   *
   * <p>An accessor is a public method, named {@code age}, {@code getAge} or {@code isAge}. The
   * annotations of a member are on its accessor, its setter or its field. Members may be:
   *
   * <ul>
   *   <li>{@code String}, {@code boolean}, {@code int}, {@code long}, {@code double}, {@code UUID},
   *       {@code byte[]}, {@code Instant}, {@code OffsetDateTime}, each stored as its Edm type.
   *       Times are truncated to 100 nanoseconds and are read in UTC;
   *   <li>an enum, stored by name;
   *   <li>an {@code Optional} of these;
   *   <li>any other type if the member is marked {@link Json}.
   * </ul>
   *
   * <p>A component of a record that may be null is marked with an annotation called {@code
   * Nullable}. Other components must not be null, neither in a write nor in a read. In a class
   * everything may be null that is not primitive. A property that an entity does not have leaves
   * the member of a bean or a builder as it is. A constructor gets null for it, which it may
   * refuse, or an empty {@code Optional}; a primitive parameter needs the property. Null and empty
   * values are not stored.
   *
   * <p>A family is a sealed type. Each of its permitted classes has a {@link TypeName} or a {@link
   * RowKeyPrefix}, which identifies the class of an entity.
   *
   * @throws MappingFailure if the type cannot be mapped; it names the member and says what to do
   */
  static <T> EntityCodec<T> of(Class<T> type) {
    return CodecCache.of(type);
  }

  /**
   * Returns the codec of entities whose properties are not known in advance: the values are the
   * entities themselves. Use it to fetch an entity, change a property and merge it.
   */
  static EntityCodec<TableEntity> dynamic() {
    return DynamicCodec.INSTANCE;
  }
}
