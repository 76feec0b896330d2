package io.lazuli.storage.hbase.requests;

/** The operations whose waits and costs are measured. */
enum Kind {
  POINT_GET("point GET", Service.TABLE),
  INSERT("insert", Service.TABLE),
  SCAN("scan of 100", Service.TABLE),
  QUEUE_GET("queue get", Service.QUEUE),
  BLOB_GET("blob GET", Service.BLOB);

  final String text;
  final Service service;

  Kind(String text, Service service) {
    this.text = text;
    this.service = service;
  }
}
