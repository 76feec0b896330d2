package io.lazuli.client.entity;

import static java.util.Objects.requireNonNull;

import com.azure.data.tables.models.TableEntity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Reads and writes with method handles that are constants of its class, so that the virtual machine
 * can inline their whole trees. A call of a handle in a field costs twice as much. Every codec is
 * therefore an instance of its own hidden class, a copy of this one. This class itself is never
 * instantiated.
 *
 * <p>The codec as a whole is the copy, not only a part of it: a caller of one codec then needs no
 * call through an interface that has as many implementations as the program has types.
 */
final class CompiledCodec<T> extends MappedCodec<T> {
  private static final Mapping MAPPING = constant(0, Mapping.class);

  /** Takes an entity and returns the value as an object. */
  private static final MethodHandle READER = constant(1, MethodHandle.class);

  /** Takes the value as an object and returns the entity. */
  private static final MethodHandle WRITER = constant(2, MethodHandle.class);

  CompiledCodec(Shape shape, Mapping mapping) {
    super(shape, mapping);
  }

  private static <C> C constant(int index, Class<C> type) {
    try {
      return requireNonNull(
          MethodHandles.classDataAt(
              MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, type, index),
          "only hidden copies of this class can be used");
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public TableEntity write(T value) {
    try {
      return (TableEntity) WRITER.invokeExact((Object) value);
    } catch (Throwable e) {
      throw Access.unchecked(e);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // The reader creates values of this type.
  public T read(TableEntity entity) {
    MAPPING.checkType(entity);
    try {
      return (T) (Object) READER.invokeExact(entity);
    } catch (NullPointerException e) {
      throw MAPPING.refusedNull(entity, e);
    } catch (Throwable e) {
      throw Access.unchecked(e);
    }
  }

  /**
   * Creates the hidden copies. It is a separate class so that the outer class is never initialised.
   */
  static final class Maker {
    private static final byte[] CODE = code();

    private Maker() {}

    private static byte[] code() {
      try (InputStream code = Maker.class.getResourceAsStream("CompiledCodec.class")) {
        return requireNonNull(code, "the code of this library").readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    static MappedCodec<?> of(Shape shape, Mapping mapping) {
      List<Object> constants =
          List.of(mapping, shape.reader(mapping.slots()), Shape.writer(mapping));
      try {
        Class<?> hidden =
            MethodHandles.lookup()
                .defineHiddenClassWithClassData(CODE, constants, true)
                .lookupClass();
        return (MappedCodec<?>)
            hidden.getDeclaredConstructor(Shape.class, Mapping.class).newInstance(shape, mapping);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
