package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.Map;
import java.util.Set;

/**
 * A codec whose values are made from those of another codec. It has the properties of that codec; a
 * subclass reads and writes.
 *
 * @param <T> the type of the values
 * @param <S> the type of the values of the other codec
 */
public abstract class DerivedCodec<T, S> implements EntityCodec<T> {
  /** The codec that reads and writes the properties. */
  protected final EntityCodec<S> codec;

  /** Creates a codec with the properties of another one. */
  protected DerivedCodec(EntityCodec<S> codec) {
    this.codec = codec;
  }

  @Override
  public boolean knowsProperty(String property) {
    return codec.knowsProperty(property);
  }

  @Override
  public <U> EntityCodec<U> forSameTable(EntityCodec<U> other) {
    return codec.forSameTable(other);
  }

  @Override
  public Map<String, MappedProperty> properties() {
    return codec.properties();
  }

  @Override
  public Set<String> encryptedProperties() {
    return codec.encryptedProperties();
  }

  @Override
  public Set<String> alwaysSelected() {
    return codec.alwaysSelected();
  }

  @Override
  public void checkSelected(Set<String> selected) {
    codec.checkSelected(selected);
  }

  @Override
  public void checkWritable() {
    codec.checkWritable();
  }

  @Override
  public boolean knows(TableEntity entity) {
    return codec.knows(entity);
  }
}
