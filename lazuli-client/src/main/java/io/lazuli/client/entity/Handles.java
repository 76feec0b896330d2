package io.lazuli.client.entity;

import static java.lang.invoke.MethodType.methodType;

import com.azure.data.tables.models.TableEntity;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.time.OffsetDateTime;

/** Handles of methods that are known to exist: all that an entity is read with. */
final class Handles {
  static final MethodHandle PARTITION_KEY = getter("getPartitionKey", String.class);
  static final MethodHandle ROW_KEY = getter("getRowKey", String.class);
  static final MethodHandle E_TAG = getter("getETag", String.class);
  static final MethodHandle TIMESTAMP = getter("getTimestamp", OffsetDateTime.class);

  /** Takes the name too. */
  static final MethodHandle PROPERTY = getter("getProperty", Object.class, String.class);

  /** Of a member that is in no entity. */
  static final MethodHandle NOTHING =
      MethodHandles.empty(methodType(Object.class, TableEntity.class));

  private Handles() {}

  private static MethodHandle getter(String name, Class<?> result, Class<?>... parameters) {
    MethodType type = methodType(result, parameters);
    return of(MethodHandles.publicLookup(), TableEntity.class, name, type);
  }

  /**
   * @param lookup that may see the method
   */
  static MethodHandle of(Lookup lookup, Class<?> owner, String name, MethodType type) {
    try {
      return lookup.findVirtual(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
