package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;

/** A codec that leaves entities as they are. */
enum DynamicCodec implements EntityCodec<TableEntity> {
  INSTANCE;

  @Override
  public TableEntity write(TableEntity value) {
    return value;
  }

  @Override
  public TableEntity read(TableEntity entity) {
    return entity;
  }

  @Override
  public TableEntity withETag(TableEntity value, String eTag) {
    return new TableEntity(value.getPartitionKey(), value.getRowKey())
        .setProperties(value.getProperties())
        .addProperty("odata.etag", eTag);
  }
}
