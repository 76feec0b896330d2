/** Tests of the format of the store. */
package io.lazuli.storage.hbase.format;
