package io.lazuli.client.entity;

import static java.lang.invoke.MethodType.methodType;

import com.azure.data.tables.models.TableEntity;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where an entity stores a member of a type, and how the member is written and read. It is a record
 * because the virtual machine treats the fields of records as constants.
 *
 * @param name the name of the property; empty for other parts
 * @param absent the value that is read when the entity does not have the property
 */
record Slot(
    Member member,
    Part part,
    String name,
    Conversion conversion,
    boolean optional,
    boolean mayBeAbsent,
    @Nullable Object absent) {
  /** The parts of an entity. */
  enum Part {
    PARTITION_KEY,
    ROW_KEY,
    E_TAG,
    TIMESTAMP,
    PROPERTY,
    NONE
  }

  private static final int NAME_LENGTH_MAX = 255;

  private static final MethodHandle WRITE =
      own("write", void.class, TableEntity.class, Object.class);
  private static final MethodHandle VALUE =
      own("value", Object.class, Object.class, TableEntity.class);
  private static final MethodHandle SET = own("set", void.class, Object.class, Object.class);

  /** The values of ignored components of primitive types. */
  private static final Map<Class<?>, Object> ZEROS =
      Map.of(
          boolean.class,
          false,
          byte.class,
          (byte) 0,
          short.class,
          (short) 0,
          char.class,
          (char) 0,
          int.class,
          0,
          long.class,
          0L,
          float.class,
          0f,
          double.class,
          0d);

  private static MethodHandle own(String name, Class<?> result, Class<?>... parameters) {
    return Handles.of(MethodHandles.lookup(), Slot.class, name, methodType(result, parameters));
  }

  private static Slot of(Member member, Part part, String name, Conversion conversion) {
    boolean optional = member.isOptional();
    boolean mayBeAbsent =
        optional
            || member.mayBeNull()
            || member.setter() != null
            || part == Part.E_TAG
            || part == Part.TIMESTAMP
            || part == Part.NONE;
    Object absent = optional ? Optional.empty() : part == Part.NONE ? zero(member) : null;
    return new Slot(member, part, name, conversion, optional, mayBeAbsent, absent);
  }

  private static @Nullable Object zero(Member member) {
    return member.setter() == null && member.type() instanceof Class<?> type
        ? ZEROS.get(type)
        : null;
  }

  static Slot of(Member member) {
    Part part = partOf(member);
    return switch (part) {
      case PARTITION_KEY, ROW_KEY, E_TAG -> of(member, part, "", only(member, part, String.class));
      case TIMESTAMP ->
          of(member, part, "", only(member, part, Instant.class, OffsetDateTime.class));
      case NONE -> ignored(member);
      case PROPERTY -> of(member, part, propertyName(member), conversion(member));
    };
  }

  private static Part partOf(Member member) {
    if (member.has(Ignored.class)) {
      return Part.NONE;
    }
    if (member.has(PartitionKey.class) || member.name().equals("partitionKey")) {
      return Part.PARTITION_KEY;
    }
    if (member.has(RowKey.class) || member.name().equals("rowKey")) {
      return Part.ROW_KEY;
    }
    if (member.has(ETag.class)) {
      return Part.E_TAG;
    }
    return member.has(Timestamp.class) ? Part.TIMESTAMP : Part.PROPERTY;
  }

  private static Conversion only(Member member, Part part, Class<?>... types) {
    for (Class<?> type : types) {
      Conversion conversion = Conversion.of(type);
      if (member.type() == type && conversion != null) {
        return conversion;
      }
    }
    String kinds = types.length == 1 ? "a String" : "an Instant or OffsetDateTime";
    throw member.failure(
        "is the %s and must be %s"
            .formatted(part.name().toLowerCase(Locale.ROOT).replace('_', ' '), kinds));
  }

  private static Slot ignored(Member member) {
    boolean primitive = member.type() instanceof Class<?> type && type.isPrimitive();
    if (!member.mayBeNull() && !member.isOptional() && !primitive) {
      throw member.failure("is @Ignored and therefore null after a read; mark it @Nullable too");
    }
    return of(member, Part.NONE, "", Conversion.json(Object.class));
  }

  private static Conversion conversion(Member member) {
    if (member.has(Json.class)) {
      return Conversion.json(member.type());
    }
    Conversion conversion = member.type() instanceof Class<?> type ? Conversion.of(type) : null;
    if (conversion == null) {
      throw member.failure(
          "is a %s, which tables have no type for; mark it @Json or @Ignored, or use one of String,"
                  .formatted(text(member.type()))
              + " boolean, int, long, double, Instant, OffsetDateTime, UUID, byte[] or an enum");
    }
    if (member.has(Encrypted.class) && conversion.type() != String.class) {
      throw member.failure("is @Encrypted and must be a String, or be marked @Json too");
    }
    return conversion;
  }

  private static String text(Type type) {
    return type instanceof Class<?> known && !(type instanceof ParameterizedType)
        ? known.getSimpleName()
        : type.getTypeName();
  }

  private static String propertyName(Member member) {
    Name given = member.mark(Name.class);
    String name = given == null ? capitalised(member.name()) : given.value();
    boolean taken =
        name.equalsIgnoreCase("PartitionKey")
            || name.equalsIgnoreCase("RowKey")
            || name.equalsIgnoreCase("Timestamp");
    if (taken || name.toLowerCase(Locale.ROOT).contains("odata.")) {
      throw member.failure(
          "would be the property %s, which the service reserves; give it another @Name%s"
              .formatted(name, name.equalsIgnoreCase("Timestamp") ? " or mark it @Timestamp" : ""));
    }
    if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
      throw member.failure("needs a @Name of 1 to 255 characters");
    }
    if (!isIdentifier(name)) {
      throw member.failure(
          "would be the property %s, which the service refuses; give it a @Name of letters, digits"
                  .formatted(name)
              + " and underscores that does not begin with a digit");
    }
    return name.intern(); // A map finds an identical string faster.
  }

  /** Returns whether the service accepts a name (table-rest 5.3). */
  private static boolean isIdentifier(String name) {
    int first = name.codePointAt(0);
    return (first == '_' || Character.isLetter(first))
        && name.codePoints().allMatch(c -> c == '_' || Character.isLetterOrDigit(c));
  }

  private static String capitalised(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  MappedProperty property() {
    boolean comparable = !member.has(Json.class) && !member.has(Encrypted.class);
    return new MappedProperty(name, conversion.type(), comparable);
  }

  /** Returns the text of a key or ETag, or null. */
  @Nullable String text(Object owner) {
    return (String) valueOf(owner);
  }

  private @Nullable Object valueOf(Object owner) {
    Object value = member.getter().apply(owner);
    return optional && value != null ? ((Optional<?>) value).orElse(null) : value;
  }

  /**
   * Returns a handle that takes the entity and the owner of the member, and writes the member's
   * value to the entity.
   */
  MethodHandle writer() {
    return WRITE.bindTo(this);
  }

  void write(TableEntity entity, Object owner) {
    Object value = valueOf(owner);
    if (value != null) {
      entity.addProperty(name, stored(value));
    } else if (!mayBeAbsent) {
      throw member.failure("is null; make it an Optional, or mark it @Nullable");
    }
  }

  private Object stored(Object value) {
    try {
      return conversion.write().apply(value);
    } catch (IllegalArgumentException e) {
      throw new MappingFailure(member.qualifiedName() + " " + e.getMessage(), e);
    }
  }

  /** Returns a handle that takes an entity and returns the value of the member. */
  MethodHandle reader() {
    MethodHandle stored =
        switch (part) {
          case PARTITION_KEY -> Handles.PARTITION_KEY;
          case ROW_KEY -> Handles.ROW_KEY;
          case E_TAG -> Handles.E_TAG;
          case TIMESTAMP -> Handles.TIMESTAMP;
          case PROPERTY -> MethodHandles.insertArguments(Handles.PROPERTY, 1, name);
          case NONE -> Handles.NOTHING;
        };
    return MethodHandles.foldArguments(
        VALUE.bindTo(this), stored.asType(methodType(Object.class, TableEntity.class)));
  }

  /** Returns a handle that takes a bean and an entity, and sets the member if the entity has it. */
  MethodHandle filler() {
    return MethodHandles.filterArguments(SET.bindTo(this), 1, reader());
  }

  void set(Object bean, @Nullable Object value) {
    if (value != null && member.setter() != null) {
      member.setter().accept(bean, value);
    }
  }

  @Nullable Object value(@Nullable Object stored, TableEntity entity) {
    return stored != null && stored.getClass() == conversion.stored()
        ? converted(stored, entity)
        : unusual(stored, entity);
  }

  /**
   * Handles the rare cases. It is a separate method because code that is compiled into a reader
   * must be small.
   */
  private @Nullable Object unusual(@Nullable Object stored, TableEntity entity) {
    if (stored != null) {
      return converted(widened(stored, entity), entity);
    }
    if (!mayBeAbsent) {
      throw member.failure(
          "is missing: %s has no property %s; make it an Optional, or mark it @Nullable"
              .formatted(EntityKey.of(entity), name));
    }
    return absent;
  }

  private Object widened(Object stored, TableEntity entity) {
    Object value = conversion.widened(stored);
    if (value == null) {
      throw member.failure(
          "is stored as %s, but the property %s of %s is %s"
              .formatted(
                  conversion.stored().getSimpleName(),
                  name,
                  EntityKey.of(entity),
                  stored.getClass().getSimpleName()));
    }
    return value;
  }

  private Object converted(Object stored, TableEntity entity) {
    try {
      Object value = conversion.read().apply(stored);
      return optional ? Optional.of(value) : value;
    } catch (IllegalArgumentException e) {
      throw unreadable(entity, e);
    }
  }

  private MappingFailure unreadable(TableEntity entity, IllegalArgumentException cause) {
    return new MappingFailure(
        "%s: the property %s of %s %s"
            .formatted(member.qualifiedName(), name, EntityKey.of(entity), cause.getMessage()),
        cause);
  }
}
