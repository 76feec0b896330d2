package io.lazuli.client.entity;

import static java.lang.invoke.MethodType.genericMethodType;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.function.Function;

/**
 * Calls a method handle that is a constant of its class, so that the virtual machine can inline the
 * handle's whole tree into the call. A call of a handle in a field costs twice as much. Every
 * reader and writer is therefore an instance of its own hidden class, a copy of this one. This
 * class itself is never instantiated.
 */
final class CompiledFunction implements Function<Object, Object> {
  private static final MethodHandle HANDLE = handle();

  private static MethodHandle handle() {
    try {
      MethodHandle given =
          MethodHandles.classData(
              MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, MethodHandle.class);
      return requireNonNull(given, "only hidden copies of this class can be used");
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Object apply(Object argument) {
    try {
      return HANDLE.invokeExact(argument);
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
      try (InputStream code = Maker.class.getResourceAsStream("CompiledFunction.class")) {
        return requireNonNull(code, "the code of this library").readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /**
     * Creates a function that calls a handle.
     *
     * @param handle takes one argument; callers of the function must pass an argument of that type
     */
    @SuppressWarnings("unchecked") // The hidden class is a copy of the outer class.
    static Function<Object, Object> of(MethodHandle handle) {
      MethodHandle generic = handle.asType(genericMethodType(1));
      try {
        Class<?> hidden =
            MethodHandles.lookup()
                .defineHiddenClassWithClassData(CODE, generic, true)
                .lookupClass();
        return (Function<Object, Object>) hidden.getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
