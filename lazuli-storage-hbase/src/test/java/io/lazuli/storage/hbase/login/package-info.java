/** Tests of the login without a cluster. */
package io.lazuli.storage.hbase.login;
