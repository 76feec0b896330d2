package io.lazuli.client.entity;

import static java.lang.invoke.MethodType.genericMethodType;
import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a value its new ETag: sets the member of a bean, or creates a value whose other members are
 * the same. Members that are not stored keep their values too.
 */
final class ETagSetter {
  private final Slot eTag;
  private final boolean isSettable;
  private final List<Member> parameters;
  private final List<Member> others;
  private final MethodHandle maker;
  private final MethodHandle finisher;

  private ETagSetter(Shape shape, Slot eTag) {
    int count = shape.maker().type().parameterCount();
    this.eTag = eTag;
    this.isSettable = eTag.member().setter() != null && shape.finisher() == Shape.ITSELF;
    this.parameters = shape.members().subList(0, count);
    this.others = shape.members().subList(count, shape.members().size());
    this.maker =
        shape
            .maker()
            .asSpreader(Object[].class, count)
            .asType(methodType(Object.class, Object[].class));
    this.finisher = shape.finisher().asType(genericMethodType(1));
  }

  static ETagSetter of(Shape shape, Slot eTag) {
    return new ETagSetter(shape, eTag);
  }

  Object set(Object value, String text) {
    Object next = eTag.optional() ? Optional.of(text) : text;
    if (isSettable) {
      eTag.set(value, next);
      return value;
    }
    try {
      return copy(value, next);
    } catch (Throwable e) {
      throw Access.unchecked(e);
    }
  }

  private Object copy(Object value, Object next) throws Throwable {
    Object[] arguments = parameters.stream().map(each -> of(each, value, next)).toArray();
    Object made = (Object) maker.invokeExact(arguments);
    for (Member member : others) {
      Object kept = of(member, value, next);
      if (kept != null && member.setter() != null) {
        member.setter().accept(made, kept);
      }
    }
    return (Object) finisher.invokeExact(made);
  }

  private @Nullable Object of(Member member, Object value, Object next) {
    return member.equals(eTag.member()) ? next : member.getter().apply(value);
  }
}
