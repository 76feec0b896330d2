package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/** A codec that leaves out entities of unknown types where it reads any number of them. */
final class SkippingCodec<T> extends ForwardingCodec<T> {
  SkippingCodec(EntityCodec<T> codec) {
    super(codec);
  }

  @Override
  public Flux<T> decode(Flux<TableEntity> entities, Set<String> selected) {
    return codec.decode(entities.filter(codec::knows), selected);
  }

  @Override
  public <O> EntityCodec<T> upcasting(Class<O> old, Function<? super O, ? extends T> upcast) {
    return new SkippingCodec<>(codec.upcasting(old, upcast));
  }

  @Override
  public EntityCodec<T> unencrypted() {
    return new SkippingCodec<>(codec.unencrypted());
  }
}
