package io.lazuli.client.entity;

import static java.lang.invoke.MethodType.methodType;

import com.azure.data.tables.models.TableEntity;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.time.OffsetDateTime;

/** Handles of the methods that read the parts of an entity. */
final class Handles {
  static final MethodHandle PARTITION_KEY = getter("getPartitionKey", String.class);
  static final MethodHandle ROW_KEY = getter("getRowKey", String.class);
  static final MethodHandle E_TAG = getter("getETag", String.class);
  static final MethodHandle TIMESTAMP = getter("getTimestamp", OffsetDateTime.class);

  /** Takes the name of the property as a second argument. */
  static final MethodHandle PROPERTY = getter("getProperty", Object.class, String.class);

  /** Returns null, for a member that is not stored. */
  static final MethodHandle NOTHING =
      MethodHandles.empty(methodType(Object.class, TableEntity.class));

  private Handles() {}

  private static MethodHandle getter(String name, Class<?> result, Class<?>... parameters) {
    MethodType type = methodType(result, parameters);
    return of(MethodHandles.publicLookup(), TableEntity.class, name, type);
  }

  /**
   * Returns the handle of a method that is known to exist.
   *
   * @param lookup has access to the method
   */
  static MethodHandle of(Lookup lookup, Class<?> owner, String name, MethodType type) {
    try {
      return lookup.findVirtual(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
