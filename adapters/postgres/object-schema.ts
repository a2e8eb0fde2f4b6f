/**
 * Objects of all buckets: small bodies in the row, larger ones once under their SHA-256, in pieces. Times at which a body was
 * last written or let go are the database's own.
 */
export const OBJECT_TABLES = `
  CREATE TABLE narrowgate.blobs (
    sha256 bytea PRIMARY KEY, size bigint NOT NULL, pieces int NOT NULL,
    whole boolean NOT NULL DEFAULT false, -- false: on its way in, or out
    touched timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX blobs_touched ON narrowgate.blobs (touched);
  CREATE TABLE narrowgate.blob_pieces (
    sha256 bytea REFERENCES narrowgate.blobs ON DELETE CASCADE, n int, bytes bytea NOT NULL,
    PRIMARY KEY (sha256, n)
  );
  ALTER TABLE narrowgate.blob_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
  CREATE TABLE narrowgate.objects (
    bucket text COLLATE "C", key bytea, version text NOT NULL, size bigint NOT NULL, etag text COLLATE "C" NOT NULL,
    uploaded bigint NOT NULL, -- ms since the epoch
    checksums json NOT NULL, http json NOT NULL, custom json NOT NULL,
    body bytea, blob bytea REFERENCES narrowgate.blobs,
    PRIMARY KEY (bucket, key), CHECK ((body IS NULL) <> (blob IS NULL))
  );
  CREATE INDEX objects_blob ON narrowgate.objects (blob) WHERE blob IS NOT NULL;

  -- Whoever writes or deletes rows locks the bodies that they name, after the rows and in one order. So nobody sweeps away
  -- a body that a row is about to name, and who still reads one that was let go has some time for it.
  CREATE FUNCTION narrowgate.hold_blobs(named bytea[], let_go bytea[])
  RETURNS void LANGUAGE plpgsql SET search_path = '' AS $$
  BEGIN
    PERFORM FROM narrowgate.blobs b WHERE b.sha256 = ANY (named || let_go) ORDER BY b.sha256 FOR NO KEY UPDATE;
    IF EXISTS (
      SELECT FROM unnest(named) AS n (sha256) LEFT JOIN narrowgate.blobs b ON b.sha256 = n.sha256 AND b.whole
      WHERE b.sha256 IS NULL
    ) THEN
      RAISE EXCEPTION 'a body was swept away underway' USING ERRCODE = 'foreign_key_violation';
    END IF;
    UPDATE narrowgate.blobs b SET touched = clock_timestamp() WHERE b.sha256 = ANY (named || let_go);
  END $$;
  CREATE FUNCTION narrowgate.objects_written() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
  BEGIN
    PERFORM narrowgate.hold_blobs(array_agg(blob), '{}') FROM written WHERE blob IS NOT NULL HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE FUNCTION narrowgate.objects_replaced() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
  BEGIN
    PERFORM narrowgate.hold_blobs(
      coalesce((SELECT array_agg(blob) FROM written WHERE blob IS NOT NULL), '{}'),
      coalesce((SELECT array_agg(blob) FROM gone WHERE blob IS NOT NULL), '{}')
    ) WHERE EXISTS (SELECT FROM written WHERE blob IS NOT NULL) OR EXISTS (SELECT FROM gone WHERE blob IS NOT NULL);
    RETURN NULL;
  END $$;
  CREATE FUNCTION narrowgate.objects_deleted() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
  BEGIN
    PERFORM narrowgate.hold_blobs('{}', array_agg(blob)) FROM gone WHERE blob IS NOT NULL HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE TRIGGER written AFTER INSERT ON narrowgate.objects REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION narrowgate.objects_written();
  CREATE TRIGGER replaced AFTER UPDATE ON narrowgate.objects REFERENCING NEW TABLE AS written OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION narrowgate.objects_replaced();
  CREATE TRIGGER deleted AFTER DELETE ON narrowgate.objects REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION narrowgate.objects_deleted();

  -- Removes some of what nobody names, and nobody has touched for so long. True where there may be more.
  CREATE FUNCTION narrowgate.sweep_blobs(grace_ms double precision, most int)
  RETURNS boolean LANGUAGE plpgsql SET search_path = '' AS $$
  DECLARE
    before timestamptz := clock_timestamp() - grace_ms * interval '1 ms';
    found bytea[];
    removed int;
  BEGIN
    -- Locked first, looked at then: whoever was about to name one is done by then, or waits until it is marked.
    SELECT array_agg(sha256) INTO found FROM (
      SELECT b.sha256 FROM narrowgate.blobs b
      WHERE b.whole AND b.touched < before
        AND NOT EXISTS (SELECT FROM narrowgate.objects o WHERE o.blob = b.sha256)
      ORDER BY b.sha256 LIMIT most FOR UPDATE SKIP LOCKED
    ) AS locked;
    UPDATE narrowgate.blobs b SET whole = false WHERE b.sha256 = ANY (found)
      AND NOT EXISTS (SELECT FROM narrowgate.objects o WHERE o.blob = b.sha256);
    SELECT array_agg(sha256) INTO found FROM (
      SELECT b.sha256 FROM narrowgate.blobs b WHERE NOT b.whole AND b.touched < before
      ORDER BY b.sha256 LIMIT most FOR UPDATE SKIP LOCKED
    ) AS locked;
    DELETE FROM narrowgate.blob_pieces p USING (
      SELECT sha256, n FROM narrowgate.blob_pieces WHERE sha256 = ANY (found) LIMIT most
    ) AS few WHERE p.sha256 = few.sha256 AND p.n = few.n;
    GET DIAGNOSTICS removed = ROW_COUNT;
    DELETE FROM narrowgate.blobs b WHERE b.sha256 = ANY (found)
      AND NOT EXISTS (SELECT FROM narrowgate.blob_pieces p WHERE p.sha256 = b.sha256);
    RETURN coalesce(array_length(found, 1), 0) = most OR removed = most;
  END $$;
`
