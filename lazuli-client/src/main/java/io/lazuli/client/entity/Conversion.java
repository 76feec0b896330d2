package io.lazuli.client.entity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts values of one Java type to the type that the SDK sends for an Edm type, and back.
 *
 * @param type the Java type, boxed
 * @param stored the Java type that the SDK uses for the Edm type
 * @param write converts from the Java type to the stored one
 * @param read converts back; it receives values of the stored type only
 */
record Conversion(
    Class<?> type, Class<?> stored, Function<Object, Object> write, Function<Object, Object> read) {
  private static final Function<Object, Object> AS_IT_IS = Function.identity();

  private static final int NANOS_PER_TICK = 100;

  private static final Map<Class<?>, Conversion> BASIC = new HashMap<>();

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  static {
    asItIs(String.class);
    asItIs(Boolean.class, boolean.class);
    asItIs(Integer.class, int.class);
    asItIs(Long.class, long.class);
    asItIs(Double.class, double.class);
    asItIs(UUID.class);
    asItIs(byte[].class);
    put(OffsetDateTime.class, value -> ticks((OffsetDateTime) value), value -> utc(value));
    put(
        Instant.class,
        value -> ticks(((Instant) value).atOffset(ZoneOffset.UTC)),
        value -> ((OffsetDateTime) value).toInstant());
  }

  private static void asItIs(Class<?>... types) {
    for (Class<?> type : types) {
      BASIC.put(type, new Conversion(types[0], types[0], AS_IT_IS, AS_IT_IS));
    }
  }

  private static void put(
      Class<?> type, Function<Object, Object> write, Function<Object, Object> read) {
    BASIC.put(type, new Conversion(type, OffsetDateTime.class, write, read));
  }

  /**
   * Returns the conversion of an enum or of a type that corresponds to an Edm type; null for
   * others.
   */
  static @Nullable Conversion of(Class<?> type) {
    return type.isEnum() ? ofEnum(type) : BASIC.get(type);
  }

  private static Conversion ofEnum(Class<?> type) {
    Map<String, Object> byName = new HashMap<>();
    for (Object constant : type.getEnumConstants()) {
      byName.put(((Enum<?>) constant).name(), constant);
    }
    return new Conversion(
        type, String.class, value -> ((Enum<?>) value).name(), name -> constant(byName, name));
  }

  private static Object constant(Map<String, Object> byName, Object name) {
    Object constant = byName.get((String) name);
    if (constant == null) {
      throw new IllegalArgumentException("'" + name + "' is not one of " + byName.keySet());
    }
    return constant;
  }

  static Conversion json(Type type) {
    JavaType javaType = JSON.constructType(type);
    return new Conversion(
        javaType.getRawClass(), String.class, Conversion::toJson, text -> fromJson(text, javaType));
  }

  private static Object toJson(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be written as JSON", e);
    }
  }

  private static Object fromJson(Object text, JavaType type) {
    try {
      return JSON.readValue((String) text, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("is not JSON for a " + type.toCanonical(), e);
    }
  }

  /**
   * Returns the value if it has the stored type or can be widened to it without loss, otherwise
   * null. This is necessary because Azurite returns a double without a fraction as an integer.
   */
  @Nullable Object widened(Object value) {
    if (stored.isInstance(value)) {
      return value;
    }
    if (value instanceof Long number && stored == Double.class) {
      double widened = number.doubleValue();
      return (long) widened == number ? (Object) widened : null;
    }
    if (value instanceof Integer number) {
      return stored == Long.class
          ? (Object) number.longValue()
          : stored == Double.class ? (Object) number.doubleValue() : null;
    }
    return null;
  }

  private static OffsetDateTime ticks(OffsetDateTime time) {
    OffsetDateTime utc = time.withOffsetSameInstant(ZoneOffset.UTC);
    return utc.withNano(utc.getNano() - utc.getNano() % NANOS_PER_TICK);
  }

  private static OffsetDateTime utc(Object time) {
    return ((OffsetDateTime) time).withOffsetSameInstant(ZoneOffset.UTC);
  }
}
