package io.lazuli.client.entity;

/** Keeps one codec for each class, as long as the class is loaded. */
final class CodecCache {
  private static final ClassValue<EntityCodec<?>> CODECS =
      new ClassValue<>() {
        @Override
        protected EntityCodec<?> computeValue(Class<?> type) {
          EntityCodec<?> codec = type.isSealed() ? FamilyCodec.of(type) : MappedCodec.of(type);
          return codec.encryptedProperties().isEmpty() ? codec : new GuardedCodec<>(codec, type);
        }
      };

  private CodecCache() {}

  @SuppressWarnings("unchecked") // The codec was created for this class.
  static <T> EntityCodec<T> of(Class<T> type) {
    return (EntityCodec<T>) CODECS.get(type);
  }
}
